import {
  Body,
  Catch,
  Controller,
  Get,
  HttpException,
  ImATeapotException,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Req,
  Sse,
  Version,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
  type ModuleMetadata,
  type NestInterceptor,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { from, map, type Observable } from 'rxjs';

class ItemDto {
  @IsString() name!: string;
  @IsOptional() @IsInt() size?: number;
}

/** The routes of a host application that uses what Nest offers. */
@Controller('items')
export class ItemsController {
  @Post()
  create(@Body() item: ItemDto) {
    return { item, type: item.constructor.name };
  }

  @Post('any')
  any(@Body() body: unknown) {
    return { body: body ?? null, keys: Object.keys(body ?? {}) };
  }

  @Post('raw')
  raw(@Req() request: { rawBody?: Buffer; body?: unknown }) {
    return { raw: request.rawBody?.toString('latin1') ?? null, body: request.body ?? null };
  }

  @Get('fail')
  fail() {
    throw new Error('secret');
  }

  @Get('teapot')
  teapot() {
    throw new ImATeapotException('short and stout');
  }

  @Get('large')
  large() {
    return { text: 'x'.repeat(5_000) };
  }

  @Sse('events')
  events(): Observable<{ data: object }> {
    return from([{ data: { n: 1 } }, { data: { n: 2 } }]);
  }

  @Version('2')
  @Get('versioned')
  versioned() {
    return { version: 2 };
  }

  @Get(':id')
  get(@Param('id', ParseIntPipe) id: number, @Query() query: object) {
    return { id, query };
  }
}

/** Lets nobody in without a key. */
@Injectable()
export class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    return headers['x-key'] === 'k';
  }
}

/** Wraps every answer. */
@Injectable()
export class WrappingInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ wrapped: data })));
  }
}

/** Answers every error in a shape of its own. */
@Catch()
export class HostFilter implements ExceptionFilter {
  constructor(private readonly adapters: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    const message = exception instanceof HttpException ? exception.message : 'failed';
    const body = { host: 'filter', status, message };
    this.adapters.httpAdapter.reply(host.switchToHttp().getResponse(), body, status);
  }
}

@Module({})
class HostModule {}

export function hostModule(imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
  return { module: HostModule, imports, controllers: [ItemsController] };
}
