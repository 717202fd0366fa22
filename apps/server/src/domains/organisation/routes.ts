import type { Serve } from '#kit/serve'
import { projectAlterRoutes } from './alter-calls.ts'
import { aptitudeRoutes } from './aptitudes.ts'
import { brandRoutes } from './brands.ts'
import { companyHistoryRoutes } from './company-history.ts'
import { corporationViewRoutes } from './corporation-views.ts'
import { corporationRoutes } from './corporations.ts'
import { fenceOverviewRoutes } from './fence-overview.ts'
import { fenceRoutes } from './fences.ts'
import { folderRoutes } from './folders.ts'
import { governmentRoutes } from './governments.ts'
import { groupInfoRoutes } from './group-info.ts'
import { groupRoutes } from './groups.ts'
import { orgMemberRoutes } from './org-members.ts'
import { orgRuleRoutes } from './org-rules.ts'
import { orgRoutes } from './org-tree.ts'
import { partListRoutes } from './part-lists.ts'
import { projectFactRoutes } from './project-facts.ts'
import { projectViewRoutes } from './project-views.ts'
import { projectRoutes } from './projects.ts'

export function organisationRoutes(serve: Serve) {
  governmentRoutes(serve)
  corporationRoutes(serve)
  projectRoutes(serve)
  projectFactRoutes(serve)
  fenceRoutes(serve)
  fenceOverviewRoutes(serve)
  folderRoutes(serve)
  groupRoutes(serve)
  groupInfoRoutes(serve)
  brandRoutes(serve)
  partListRoutes(serve)
  orgRuleRoutes(serve)
  projectViewRoutes(serve)
  corporationViewRoutes(serve)
  aptitudeRoutes(serve)
  companyHistoryRoutes(serve)
  orgRoutes(serve)
  orgMemberRoutes(serve)
  projectAlterRoutes(serve)
}
