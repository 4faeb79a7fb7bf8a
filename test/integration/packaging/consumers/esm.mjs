import * as common from '@nestjs/common';
import * as core from '@nestjs/core';
import * as a2a from 'nest-a2a';
import { makeModule, talkTo } from './talk.cjs';

const platform = await import(`@nestjs/platform-${process.argv[2]}`);
console.log(JSON.stringify(await talkTo(makeModule(common, a2a), core, platform)));
