/** How a webhook wants to be authenticated to (§4.3.2). */
export interface AuthenticationInfo {
  /** An HTTP authentication scheme such as `Bearer`. */
  scheme: string;
  credentials?: string;
}

/** A webhook registered for a task (§4.3.1). */
export interface TaskPushNotificationConfig {
  tenant?: string;
  /** Assigned by the server when the client leaves it out. */
  id?: string;
  taskId?: string;
  url: string;
  /** Echoed to the webhook with every notification. */
  token?: string;
  authentication?: AuthenticationInfo;
}
