import type { Serve } from '#kit/serve'
import { corporationRoutes } from './corporations.ts'
import { fenceRoutes } from './fences.ts'
import { folderRoutes } from './folders.ts'
import { governmentRoutes } from './governments.ts'
import { orgMemberRoutes } from './org-members.ts'
import { orgRoutes } from './org-tree.ts'
import { projectChangeRoutes } from './project-changes.ts'
import { projectRoutes } from './projects.ts'

export function organisationRoutes(serve: Serve) {
  governmentRoutes(serve)
  corporationRoutes(serve)
  projectRoutes(serve)
  fenceRoutes(serve)
  folderRoutes(serve)
  orgRoutes(serve)
  orgMemberRoutes(serve)
  projectChangeRoutes(serve)
}
