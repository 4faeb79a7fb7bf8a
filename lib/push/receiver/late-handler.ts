import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { A2AWebhookHandler } from './a2a-webhook-handler.js';

/** The handler, made when the modules of the application are there: it may inject what any of them provides. */
@Injectable()
export class LateHandler {
  #handler: A2AWebhookHandler | undefined;

  constructor(private readonly moduleRef: ModuleRef) {}

  /** @throws Error before it is made */
  get handler(): A2AWebhookHandler {
    if (!this.#handler) throw new Error('The application has not started yet');
    return this.#handler;
  }

  /** Takes an instance, the application's provider of a class, or a new instance of it. */
  async bind(given: Type<A2AWebhookHandler> | A2AWebhookHandler): Promise<void> {
    this.#handler =
      typeof given === 'function' ? (this.#provided(given) ?? (await this.moduleRef.create(given))) : given;
  }

  #provided(type: Type<A2AWebhookHandler>): A2AWebhookHandler | undefined {
    try {
      return this.moduleRef.get(type, { strict: false });
    } catch (error) {
      // Nest does not export its exceptions. Any other, such as that of a request-scoped class, is a fault.
      if (error instanceof Error && error.constructor.name === 'UnknownElementException') return undefined;
      throw error;
    }
  }
}
