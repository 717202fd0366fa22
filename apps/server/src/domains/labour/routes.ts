import type { Serve } from '#kit/serve'
import { blackRoutes } from './black.ts'
import { exitProposalRoutes } from './exit-proposals.ts'
import { registerRoutes } from './register.ts'
import { statsTableRoutes } from './stats-tables.ts'
import { stayRoutes } from './stays.ts'
import { teamRoutes } from './teams.ts'
import { unitInfoRoutes } from './unit-info.ts'
import { unitRoutes } from './units.ts'

export function labourRoutes(serve: Serve) {
  unitRoutes(serve)
  teamRoutes(serve)
  stayRoutes(serve)
  blackRoutes(serve)
  unitInfoRoutes(serve)
  statsTableRoutes(serve)
  registerRoutes(serve)
  exitProposalRoutes(serve)
}
