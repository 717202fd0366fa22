import type { Serve } from '#kit/serve'
import type { ServeDependencies } from '#kit/serve-dependencies'
import { badRoutes } from './bad.ts'
import { badgeCheckRoutes } from './badge-check.ts'
import { batchRoutes } from './batches.ts'
import { certOverviewRoutes } from './cert-overview.ts'
import { certRoutes } from './certs.ts'
import { contractRoutes } from './contracts.ts'
import { detailRoutes } from './detail.ts'
import { dossierRoutes } from './dossier.ts'
import { figureRoutes } from './figures.ts'
import { flowRoutes } from './flow.ts'
import { moveRoutes } from './flow-moves.ts'
import { formalRoutes } from './formal.ts'
import { grantRoutes } from './grant.ts'
import { healthRoutes } from './health.ts'
import { historyRoutes } from './history.ts'
import { type Enqueue, importRoutes } from './import/routes.ts'
import { listRoutes } from './list.ts'
import { mergeRoutes } from './merge.ts'
import type { CodeSender } from './open-code.ts'
import { ownLookRoutes } from './own-look.ts'
import { registerRoutes } from './register.ts'
import { selfEntryRoutes } from './self-entry.ts'
import { selfEntryReviewRoutes } from './self-entry-review.ts'
import { trainCardRoutes } from './train-card.ts'
import { trainingRoutes } from './training.ts'
import { verifyRoutes } from './verify.ts'

/** What the public endpoints need: authentication of optional sessions, the SMS sender, and the public address. */
export interface PersonnelDoors {
  authenticate: ServeDependencies['authenticate']
  sms: CodeSender | undefined
  publicUrl: string | undefined
}

export function personnelRoutes(serve: Serve, enqueue: Enqueue, { authenticate, sms, publicUrl }: PersonnelDoors) {
  listRoutes(serve)
  figureRoutes(serve)
  detailRoutes(serve)
  registerRoutes(serve)
  verifyRoutes(serve)
  formalRoutes(serve)
  batchRoutes(serve)
  certRoutes(serve)
  certOverviewRoutes(serve)
  contractRoutes(serve)
  badRoutes(serve)
  historyRoutes(serve)
  healthRoutes(serve)
  flowRoutes(serve)
  moveRoutes(serve)
  grantRoutes(serve)
  mergeRoutes(serve)
  dossierRoutes(serve)
  trainingRoutes(serve)
  trainCardRoutes(serve)
  importRoutes(serve, enqueue)
  badgeCheckRoutes(serve, authenticate)
  selfEntryRoutes(serve, sms)
  ownLookRoutes(serve, sms)
  selfEntryReviewRoutes(serve, publicUrl, sms)
}
