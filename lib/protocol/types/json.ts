/** Any JSON value, as `data` parts hold it (google.protobuf.Value). */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object, as `metadata` and `params` hold it (google.protobuf.Struct). */
export interface JsonObject {
  [key: string]: JsonValue;
}
