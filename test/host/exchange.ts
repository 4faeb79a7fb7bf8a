import { connect } from 'node:net';

/** A request as it goes over the wire. */
export interface WireRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** One byte a character. */
  body?: string;
}

/** Sends a request on a connection of its own and gives the bytes of the answer, but for its date. */
export function exchange(origin: string, request: WireRequest): Promise<string> {
  const { method = 'GET', path, headers = {}, body } = request;
  const { hostname, port } = new URL(origin);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    // The same for every server, so that it may come back.
    'Host: host.example',
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'latin1');
    });
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      answer += chunk;
      // Nest keeps the connection of an event stream open, whatever its client asks for.
      if (answer.endsWith('\r\n0\r\n\r\n')) socket.end();
    });
    socket.on('error', reject);
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(answer.replace(/^Date: .*\r\n/im, '')));
  });
}

/** An answer taken apart: its status line, its headers with names in lower case, and its body. */
export function parsed(answer: string): { status: number; headers: Record<string, string>; body: string } {
  const end = answer.indexOf('\r\n\r\n');
  const [line = '', ...rest] = answer.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    rest.map((header) => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
    }),
  );
  const body = answer.slice(end + 4);
  const isChunked = headers['transfer-encoding'] === 'chunked';
  return { status: Number(line.split(' ')[1]), headers, body: isChunked ? joinChunks(body) : body };
}

function joinChunks(body: string): string {
  let joined = '';
  for (let at = 0; ;) {
    const start = body.indexOf('\r\n', at) + 2;
    const size = Number.parseInt(body.slice(at, start), 16);
    if (!(size > 0)) return joined;
    joined += body.slice(start, start + size);
    at = start + size + 2;
  }
}
