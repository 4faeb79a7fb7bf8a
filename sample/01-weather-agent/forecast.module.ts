import { Module } from '@nestjs/common';
import { ForecastService } from './forecast.service.js';

@Module({ providers: [ForecastService], exports: [ForecastService] })
export class ForecastModule {}
