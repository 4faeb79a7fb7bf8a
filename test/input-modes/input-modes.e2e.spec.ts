import { expect, it, vi } from 'vitest';
import { describeAgent, type AgentOptions, type TestAgent } from '../support/index.js';
import { echo } from '../support/task-makers.js';

const SKILL = { id: 's', name: 'S', description: '' };

function card(modes: { defaultInputModes?: string[]; inputModes?: string[] }): Pick<AgentOptions, 'card'> {
  const { defaultInputModes, inputModes } = modes;
  return {
    card: {
      name: 'Picky',
      description: '',
      version: '1',
      ...(defaultInputModes && { defaultInputModes }),
      ...(inputModes && { skills: [{ ...SKILL, inputModes }] }),
    },
  };
}

describeAgent('validateInputModes', (target) => {
  const accepts = async (agent: TestAgent, mediaType: string) => {
    const { error } = await agent.send([{ text: 'x', mediaType }]);
    if (error)
      expect([error.reason, error.httpStatus, error.code]).toEqual([
        'CONTENT_TYPE_NOT_SUPPORTED',
        400,
        -32005,
      ]);
    return error === undefined;
  };

  it('S-98: a media type that the card does not declare is refused by its part, and nothing is started or kept', async () => {
    const execute = vi.fn(echo);
    const agent = await target.start({
      execute,
      validateInputModes: true,
      ...card({ defaultInputModes: ['text/plain'] }),
    });
    for (const send of [agent.send.bind(agent), agent.stream.bind(agent)]) {
      const { error } = await send([
        { text: 'x', mediaType: 'text/plain' },
        { data: 1, mediaType: 'application/json' },
      ]);
      expect(error).toMatchObject({
        reason: 'CONTENT_TYPE_NOT_SUPPORTED',
        metadata: { mediaType: 'application/json' },
        message: expect.stringContaining('message.parts[1]'),
      });
    }
    expect(execute).not.toHaveBeenCalled();
    expect((await agent.list().result()).totalSize).toBe(0);
  });

  it('S-98: is off by default', async () => {
    const agent = await target.start({ execute: echo, ...card({ defaultInputModes: ['text/plain'] }) });
    expect(await accepts(agent, 'application/json')).toBe(true);
  });

  it('S-99: the types of every skill count too, and a card that declares none takes all', async () => {
    const both = await target.start({
      execute: echo,
      validateInputModes: true,
      ...card({ defaultInputModes: ['text/plain'], inputModes: ['image/png'] }),
    });
    expect(await accepts(both, 'text/plain')).toBe(true);
    expect(await accepts(both, 'image/png')).toBe(true);
    expect(await accepts(both, 'image/gif')).toBe(false);
    const open = await target.start({ execute: echo, validateInputModes: true });
    expect((await open.card()).defaultInputModes).toEqual(['text/plain']);
    expect(await accepts(open, 'application/x-anything')).toBe(true);
  });

  it('S-99: what a card function says later counts from its next fetch on', async () => {
    let mode = 'text/plain';
    const agent = await target.start({
      execute: echo,
      validateInputModes: true,
      card: () => ({ name: 'Changing', description: '', version: '1', defaultInputModes: [mode] }),
    });
    expect(await accepts(agent, 'image/png')).toBe(false);
    mode = 'image/png';
    await agent.card();
    expect(await accepts(agent, 'image/png')).toBe(true);
  });

  it('S-100: a part without a media type is never refused', async () => {
    const agent = await target.start({
      execute: echo,
      validateInputModes: true,
      ...card({ defaultInputModes: ['image/png'] }),
    });
    await agent.send([{ text: 'x' }, { data: {} }, { raw: 'QQ==', mediaType: '' }]).task();
  });

  it('S-101: case and parameters do not count, and bare types and wildcards stand for their subtypes', async () => {
    const agent = await target.start({
      execute: echo,
      validateInputModes: true,
      ...card({ defaultInputModes: ['text', 'image/*', 'Application/JSON; charset=utf-8'] }),
    });
    for (const type of [
      'text/plain',
      'TEXT/Html; charset=utf-8',
      'image/png',
      'application/json',
      'Application/Json;a=b',
    ]) {
      expect([type, await accepts(agent, type)]).toEqual([type, true]);
    }
    for (const type of ['audio/wav', 'application/xml', 'textual/plain', 'application/json-patch']) {
      expect([type, await accepts(agent, type)]).toEqual([type, false]);
    }
    const any = await target.start({
      execute: echo,
      validateInputModes: true,
      ...card({ inputModes: ['*/*'] }),
    });
    expect(await accepts(any, 'audio/wav')).toBe(true);
  });
});
