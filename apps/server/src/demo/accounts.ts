import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface DemoAccount {
  role: string
  account: string
  password: string
  groupName: string
}

export const demoFile = (dataDir: string) => join(dataDir, 'demo.json')

/** Reads the accounts that the demonstration's login page shows, cached once the file exists. */
export function readDemoAccounts(dataDir: string): () => readonly DemoAccount[] | undefined {
  let accounts: DemoAccount[] | undefined
  return () => {
    const file = demoFile(dataDir)
    if (!accounts && existsSync(file)) {
      const demo = JSON.parse(readFileSync(file, 'utf8')) as { accounts: (DemoAccount & { shown?: boolean; title: string })[] }
      accounts = demo.accounts
        .filter((a) => a.shown)
        .map((a) => ({ role: a.title, account: a.account, password: a.password, groupName: a.groupName }))
    }
    return accounts
  }
}
