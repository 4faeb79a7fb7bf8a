import { Duplex } from 'node:stream';

/**
 * One end of a connection that stays in this process. What one end writes the other reads, no faster than it wants to;
 * destroying an end closes both. It has what Node's HTTP asks of a socket.
 */
export class MemorySocket extends Duplex {
  /** What guards and rate limits take for the caller. */
  readonly remoteAddress = '127.0.0.1';
  readonly remoteFamily = 'IPv4';
  readonly remotePort = 0;
  #peer: MemorySocket | undefined;
  /** Lets the peer write on, once this end has room. */
  #resume: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Both ends of a new connection. */
  static pair(): [MemorySocket, MemorySocket] {
    const one = new MemorySocket();
    const other = new MemorySocket();
    one.#peer = other;
    other.#peer = one;
    return [one, other];
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** As sockets have it: `timeout` is emitted when nothing was read or written for so long; 0 is never. */
  setTimeout(milliseconds: number, listener?: () => void): this {
    clearTimeout(this.#timer);
    if (listener) this.once('timeout', listener);
    this.#timer = milliseconds > 0 ? setTimeout(() => this.emit('timeout'), milliseconds).unref() : undefined;
    return this;
  }

  override _read(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: (error?: Error | null) => void): void {
    this.#timer?.refresh();
    const peer = this.#peer;
    if (peer === undefined || peer.destroyed) {
      written(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      return;
    }
    peer.#timer?.refresh();
    if (peer.push(chunk)) written();
    else peer.#resume = () => written();
  }

  override _final(done: () => void): void {
    if (this.#peer?.destroyed === false) this.#peer.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    const peer = this.#peer;
    this.#peer = undefined;
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
    // One that has said everything leaves the other end to read it.
    if (peer?.destroyed === false && !this.writableFinished) {
      if (peer.readableLength > 0) peer.push(null);
      else peer.destroy();
    }
    done(error);
  }
}
