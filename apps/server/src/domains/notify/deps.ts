import type pg from 'pg'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'
import type { Senders } from './senders.ts'

export interface NotifyDependencies {
  pool: pg.Pool
  secrets: Secrets
  log: Log
  senders: Senders
  now(): number
}
