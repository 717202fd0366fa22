export interface PeopleBench {
  databaseUrl: string
  secretKey: string
  url: string
  apiPid: number
  jobsPid: number
  /** The project whose list is read, and into which people are imported. */
  projectCode: string
  login(account: string): Promise<string>
}
