import { Module } from '@nestjs/common';
import { A2AWebhookModule } from 'nest-a2a';
import { OrdersHandler } from './orders.handler.js';

@Module({
  imports: [A2AWebhookModule.forRoot({ path: 'hooks/a2a', token: 'of the shop', handler: OrdersHandler })],
  providers: [OrdersHandler],
})
export class ShopModule {}
