import { StreamEndedError } from '../client/streams/stream-ended-error.js';
import { TransportError } from '../client/transport-error.js';
import { PollTimeoutError } from '../client/waiting/poll-timeout-error.js';
import { isA2AError } from '../protocol/index.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { UsageError } from './usage-error.js';

/** What is printed of an error, and how the process exits. */
export interface ErrorReport {
  readonly message: string;
  readonly exitCode: ExitCode;
}

/** An error in words. A stack is of use only for faults of this program, and only for who asks for it. */
export function describeError(error: unknown, isVerbose: boolean): ErrorReport {
  if (error instanceof UsageError) {
    return { message: `${error.message}\nTry: nest-a2a --help`, exitCode: EXIT.usage };
  }
  if (isA2AError(error)) return { message: `${error.name}: ${error.message}`, exitCode: codeOf(error) };
  if (!(error instanceof Error)) return { message: 'Something went wrong', exitCode: EXIT.agentError };
  const message = isVerbose ? (error.stack ?? error.message) : error.message;
  return { message, exitCode: EXIT.agentError };
}

function codeOf(error: Error): ExitCode {
  if (error instanceof PollTimeoutError) return EXIT.notInTime;
  if (error instanceof TransportError) return error.timedOut ? EXIT.notInTime : EXIT.connection;
  if (error instanceof StreamEndedError) return EXIT.connection;
  if (error.name === 'AuthenticationError' || error.name === 'AuthorizationError') return EXIT.refused;
  return EXIT.agentError;
}
