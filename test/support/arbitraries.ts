import fc from 'fast-check';
import { Role, TaskState, type JsonObject, type JsonValue, type Part } from '../../lib/protocol/index.js';

/** Values of the protocol in the form this library holds: what decoding must leave as it is. */

const optional = { noNullPrototype: true, requiredKeys: [] };
const id = fc.string({ minLength: 1, maxLength: 8 });
const text = fc.string({ maxLength: 12 });
/** As it is after a way over the wire, which makes 0 of -0. */
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
const object = fc.dictionary(
  fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'snake_case')),
  json,
  {
    maxKeys: 3,
  },
) as fc.Arbitrary<JsonObject>;
const base64 = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const timestamp = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const listOf = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 3 });
const real = <E extends string>(names: Record<string, E>) => {
  const known = Object.values(names).filter((name) => !name.endsWith('_UNSPECIFIED'));
  return fc.constantFrom(...known);
};

/** Required fields and optional ones, each there or not. */
function record<R extends object, O extends object = object>(
  required: { [K in keyof R]: fc.Arbitrary<R[K]> },
  rest: { [K in keyof O]: fc.Arbitrary<O[K]> } = {} as { [K in keyof O]: fc.Arbitrary<O[K]> },
): fc.Arbitrary<R & Partial<O>> {
  return fc
    .tuple(fc.record<R>(required), fc.record(rest, optional) as fc.Arbitrary<Partial<O>>)
    .map(([must, may]) => ({ ...must, ...may }));
}

const partFields = { metadata: object, filename: id, mediaType: id };
export const part: fc.Arbitrary<Part> = fc.oneof(
  record({ text }, partFields),
  record({ raw: base64 }, partFields),
  record({ url: text }, partFields),
  record({ data: json }, partFields),
);

export const message = record(
  { messageId: id, role: real(Role), parts: listOf(part) },
  { contextId: id, taskId: id, metadata: object, extensions: listOf(text), referenceTaskIds: listOf(text) },
);

const status = record({ state: real(TaskState) }, { message, timestamp });
const artifact = record(
  { artifactId: id, parts: listOf(part) },
  { name: id, description: id, metadata: object, extensions: listOf(text) },
);

export const task = record(
  { id, status },
  { contextId: id, artifacts: listOf(artifact), history: listOf(message), metadata: object },
);

export const streamResponse = fc.oneof(
  record({ task }),
  record({ message }),
  record({ statusUpdate: record({ taskId: id, contextId: id, status }, { metadata: object }) }),
  record({
    artifactUpdate: record(
      { taskId: id, contextId: id, artifact },
      { append: fc.boolean(), lastChunk: fc.boolean(), metadata: object },
    ),
  }),
);

export const pushConfig = record(
  { url: id },
  { tenant: id, id, taskId: id, token: id, authentication: record({ scheme: id }, { credentials: id }) },
);

export const sendMessageRequest = record(
  { message },
  {
    tenant: id,
    configuration: record(
      {},
      {
        acceptedOutputModes: listOf(text),
        taskPushNotificationConfig: pushConfig,
        historyLength: fc.nat(),
        returnImmediately: fc.boolean(),
      },
    ),
    metadata: object,
  },
);

export const listTasksRequest = record(
  {},
  {
    tenant: id,
    contextId: id,
    status: real(TaskState),
    pageSize: fc.integer({ min: 1, max: 100 }),
    pageToken: id,
    historyLength: fc.nat(),
    statusTimestampAfter: timestamp,
    includeArtifacts: fc.boolean(),
  },
);

const scopes = fc.dictionary(id, text, { maxKeys: 2 });
const securityScheme = fc.oneof(
  record({ apiKeySecurityScheme: record({ location: id, name: id }, { description: id }) }),
  record({ httpAuthSecurityScheme: record({ scheme: id }, { bearerFormat: id }) }),
  record({ openIdConnectSecurityScheme: record({ openIdConnectUrl: id }) }),
  record({ mtlsSecurityScheme: record({}, { description: id }) }),
  record({
    oauth2SecurityScheme: record({
      flows: fc.oneof(
        record({
          authorizationCode: record(
            { authorizationUrl: id, tokenUrl: id, scopes },
            { pkceRequired: fc.boolean() },
          ),
        }),
        record({ clientCredentials: record({ tokenUrl: id, scopes }, { refreshUrl: id }) }),
        record({ deviceCode: record({ deviceAuthorizationUrl: id, tokenUrl: id, scopes }) }),
      ),
    }),
  }),
);
const mapOf = <T>(item: fc.Arbitrary<T>) => fc.dictionary(id, item, { minKeys: 1, maxKeys: 2 });
const securityRequirements = listOf(
  record({ schemes: mapOf(record({ list: fc.array(text, { maxLength: 2 }) })) }),
);

export const agentCard = record(
  {
    name: id,
    description: text,
    version: text,
    supportedInterfaces: fc.array(
      record({ url: id, protocolBinding: id, protocolVersion: id }, { tenant: id }),
      {
        maxLength: 2,
      },
    ),
    capabilities: record(
      {},
      {
        streaming: fc.boolean(),
        pushNotifications: fc.boolean(),
        extendedAgentCard: fc.boolean(),
        extensions: listOf(record({ uri: id }, { description: id, required: fc.boolean(), params: object })),
      },
    ),
    defaultInputModes: fc.array(text, { maxLength: 2 }),
    defaultOutputModes: fc.array(text, { maxLength: 2 }),
    skills: fc.array(
      record(
        { id, name: id, description: text, tags: fc.array(text, { maxLength: 2 }) },
        { examples: listOf(text), inputModes: listOf(text), outputModes: listOf(text), securityRequirements },
      ),
      { maxLength: 2 },
    ),
  },
  {
    provider: record({ organization: text, url: text }),
    documentationUrl: id,
    iconUrl: id,
    securitySchemes: mapOf(securityScheme),
    securityRequirements,
    signatures: listOf(record({ protected: id, signature: id }, { header: object })),
  },
);
