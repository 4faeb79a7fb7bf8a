// What every consumer does with the package, however it loads it: so nothing is imported here.

/** An application with an agent that injects what it says. */
exports.makeModule = ({ Inject, Injectable, Module }, { A2AModule }) => {
  class Greeter {
    greet(name) {
      return `hello ${name}`;
    }
  }
  Injectable()(Greeter);

  class GreetingAgent {
    constructor(greeter) {
      this.greeter = greeter;
    }
    async execute(context, task) {
      await task.working();
      if (context.text === 'forever') {
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        return;
      }
      await task.addArtifact([{ text: this.greeter.greet(context.text) }]);
      await task.complete();
    }
  }
  Injectable()(GreetingAgent);
  Inject(Greeter)(GreetingAgent, undefined, 0);

  class AppModule {}
  Module({
    imports: [
      A2AModule.forRoot({
        card: { name: 'Greeter', description: 'Says hello', version: '1.0.0' },
        executor: GreetingAgent,
      }),
    ],
    providers: [Greeter, GreetingAgent],
  })(AppModule);
  return AppModule;
};

/** Starts an application, talks to its agent over both bindings, and stops it. */
exports.talkTo = async (AppModule, { NestFactory }, { ExpressAdapter, FastifyAdapter }) => {
  const Adapter = ExpressAdapter ?? FastifyAdapter;
  const app = await NestFactory.create(AppModule, new Adapter(), { logger: false, abortOnError: false });
  try {
    await app.listen(0, '127.0.0.1');
    const base = `http://127.0.0.1:${app.getHttpServer().address().port}/a2a`;
    const rpc = (method) => (params) => post(base, { jsonrpc: '2.0', id: 1, method, params });
    return {
      'http-json': await converse(
        (request) => post(`${base}/message:send`, request),
        (request) => post(`${base}/message:stream`, request),
        (answer) => answer,
      ),
      'json-rpc': await converse(rpc('SendMessage'), rpc('SendStreamingMessage'), ({ result }) => result),
    };
  } finally {
    await app.close();
  }
};

async function converse(send, stream, resultOf) {
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Ada' }, { data: { size: 'L' } }] };
  const { task } = resultOf(await (await send({ message })).json());
  const events = (await (await stream({ message })).text())
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => resultOf(JSON.parse(line.slice('data:'.length))));
  return {
    state: task.status.state,
    said: task.artifacts[0].parts[0].text,
    streamed: events.map((event) => Object.keys(event)[0]),
  };
}

function post(url, body) {
  return fetch(url, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}
