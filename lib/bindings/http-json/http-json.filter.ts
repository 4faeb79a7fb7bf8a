import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpJsonBinding } from './http-json.binding.js';

/** Answers whatever guards, interceptors and handlers throw in the shape of the protocol. */
@Catch()
export class HttpJsonExceptionFilter implements ExceptionFilter {
  constructor(@Inject(HttpJsonBinding) private readonly binding: HttpJsonBinding) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    this.binding.refuse(exception, host.switchToHttp().getResponse());
  }
}
