import type { Serve } from '#kit/serve'
import { corporationViewRoutes } from './corporation-views.ts'
import { corporationRoutes } from './corporations.ts'
import { fenceRoutes } from './fences.ts'
import { folderRoutes } from './folders.ts'
import { governmentRoutes } from './governments.ts'
import { groupRoutes } from './groups.ts'
import { orgMemberRoutes } from './org-members.ts'
import { orgRuleRoutes } from './org-rules.ts'
import { orgRoutes } from './org-tree.ts'
import { projectChangeRoutes } from './project-changes.ts'
import { projectViewRoutes } from './project-views.ts'
import { projectRoutes } from './projects.ts'

export function organisationRoutes(serve: Serve) {
  governmentRoutes(serve)
  corporationRoutes(serve)
  projectRoutes(serve)
  fenceRoutes(serve)
  folderRoutes(serve)
  groupRoutes(serve)
  orgRuleRoutes(serve)
  projectViewRoutes(serve)
  corporationViewRoutes(serve)
  orgRoutes(serve)
  orgMemberRoutes(serve)
  projectChangeRoutes(serve)
}
