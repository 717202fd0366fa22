import type { NamedWorker, ProjectPlan, Trade } from './city-plan.ts'
import type { FileSeed, ProjectWorker, Worker, WorkerCert, WorkerContract } from './city-types.ts'
import { idOf } from './random.ts'

export interface Stay {
  seed: number
  today: string
  plan: ProjectPlan
  projectCode: string
  corpCode: string
  corpName: string
  teamSysNo: number | null
  /** Unique within the project, so that a person's random numbers do not change when others are added. */
  personKey: string
  trade: Trade
  post: string | null
  named?: NamedWorker
  exited: boolean
  cardNumber: string
}

export interface Registered {
  worker: Worker
  projectWorker: ProjectWorker
  certs: WorkerCert[]
  contract: WorkerContract | null
}

export function fileSeed(kind: FileSeed['kind'], title: string, lines: string[], ...names: (string | number)[]): FileSeed {
  return { id: idOf('file', kind, ...names), name: `${title}.png`, mime: 'image/png', kind, title, lines }
}
