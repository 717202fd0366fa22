/** The embedded database cannot be started; the message is for the operator, in Chinese and English. */
export class PostgresLaunchError extends Error {
  override name = 'PostgresLaunchError'
}
