/** The embedded database cannot be brought up; the message is for whoever started the program, in Chinese and English. */
export class PostgresLaunchError extends Error {
  override name = 'PostgresLaunchError'
}
