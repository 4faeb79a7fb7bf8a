import { Module, type DynamicModule } from '@nestjs/common';
import { A2AWebhookModule } from 'nest-a2a';
import { ProgressHandler } from './progress.handler.js';

@Module({ providers: [ProgressHandler] })
export class ShopModule {
  static with(token: string): DynamicModule {
    return {
      module: ShopModule,
      imports: [A2AWebhookModule.forRoot({ path: 'hooks/a2a', token, handler: ProgressHandler })],
    };
  }
}
