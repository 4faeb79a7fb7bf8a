import type { IncomingMessage } from 'node:http';
import { isA2AError, JSONParseError, PayloadTooLargeError, type A2AError } from '../protocol/index.js';
import { parseJsonBody } from './json-body.js';
import { mediaTypeFault } from './media-type.js';
import type { BodyLimits } from './mount.js';

type Done = (body: unknown, fault: A2AError | undefined) => void;

/**
 * Reads the JSON body of a request and hands over what it holds (`undefined` for no body) or what is wrong with it,
 * never both. Nothing is called if the client goes away before its body is complete.
 */
export function readJsonBody(request: IncomingMessage, limits: BodyLimits, done: Done): void {
  const length = request.headers['content-length'];
  const isChunked = request.headers['transfer-encoding'] !== undefined || request.httpVersionMajor > 1;
  if (length === '0' || (length === undefined && !isChunked)) {
    done(undefined, undefined);
    return;
  }
  if (request.readableEnded) {
    // Something in front of us has read it, a serverless platform for example.
    done((request as { body?: unknown }).body, undefined);
    return;
  }
  const typeFault = mediaTypeFault(request.headers);
  const fault: A2AError | undefined =
    typeFault ?? (Number(length) > limits.bodySize ? tooLarge(limits) : undefined);
  if (fault && length !== undefined) {
    request.resume();
    done(undefined, fault);
    return;
  }
  collect(request, limits, typeFault, done);
}

function collect(
  request: IncomingMessage,
  limits: BodyLimits,
  typeFault: A2AError | undefined,
  done: Done,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    const fault: A2AError | undefined = typeFault ?? (size > limits.bodySize ? tooLarge(limits) : undefined);
    if (!fault) {
      chunks.push(chunk);
      return;
    }
    // What is left of a refused body flows away, so that the client gets to read the answer.
    request.off('data', onData).off('end', onEnd).resume();
    done(undefined, fault);
  };
  const onEnd = () => {
    if (size === 0) {
      done(undefined, undefined);
      return;
    }
    const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
    let body: unknown;
    let fault: A2AError | undefined;
    try {
      body = parseJsonBody(bytes, limits.nesting);
    } catch (error) {
      fault = isA2AError(error) ? error : new JSONParseError();
    }
    done(body, fault);
  };
  // Of a request that breaks off nothing is left but these, and they go with it.
  request.on('data', onData).on('end', onEnd);
}

function tooLarge({ bodySize }: BodyLimits): PayloadTooLargeError {
  return new PayloadTooLargeError(bodySize);
}
