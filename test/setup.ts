import 'reflect-metadata';
import { Logger, type LogLevel } from '@nestjs/common';

// The files of a run share their modules: what is logged in one does not hang on what an application of another has set.
const ALL: LogLevel[] = ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'];
Logger.overrideLogger(ALL);
