const common = require('@nestjs/common');
const core = require('@nestjs/core');
const a2a = require('nest-a2a');
const { makeModule, talkTo } = require('./talk.cjs');

const platform = require(`@nestjs/platform-${process.argv[2]}`);
talkTo(makeModule(common, a2a), core, platform).then((outcome) => console.log(JSON.stringify(outcome)));
