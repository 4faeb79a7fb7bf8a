import * as core from '@nestjs/core';
import { AppModule } from './out/app.module.js';
import { talkTo } from './talk.cjs';

const platform = await import(`@nestjs/platform-${process.argv[2]}`);
console.log(JSON.stringify(await talkTo(AppModule, core, platform)));
