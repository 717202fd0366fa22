import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface CheckPlanTable extends Disclosed {
  id: string
  code: string | null
  title: string
  discipline: string
  year: number
  supervisors: string[]
  supervisorIds: string[]
  /** yyyy-MM-dd. */
  startDate: string
  endDate: string
  mainContent: string
  measures: string | null
  focus: string[]
  disclosureDate: string | null
  frequencyReason: string | null
  files: string[]
  riskLevel: number
  versionNo: Generated<number>
  reason: string | null
  authorGroup: string
  authorGroupName: string
  submitBy: string | null
  submitName: string | null
  submitAt: Date | null
  approveName: string | null
  approveAt: Date | null
  opinion: string | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface CheckPlanFrequencyTable extends Disclosed {
  planId: string
  seq: number
  phase: string
  times: number
  fromDate: string
  toDate: string
}
interface CheckPlanVisitTable extends Disclosed {
  id: string
  planId: string
  seq: number
  phase: string
  windowStart: string
  windowEnd: string
  checkId: string | null
}
interface CheckPlanVersionTable extends Disclosed {
  planId: string
  versionNo: number
  title: string
  supervisors: string[]
  startDate: string
  endDate: string
  mainContent: string
  measures: string | null
  focus: string[]
  disclosureDate: string | null
  reason: string | null
  approveName: string
  approveAt: Date
}
interface CheckPlanReceiptTable {
  planId: string
  versionNo: number
  groupId: string
  projectCode: string
  corpCode: string | null
  groupName: string
  name: string
  at: Date
}
interface ProjectRiskTable extends Disclosed {
  level: number
  reason: string
  computedAt: Date
}

declare module '#kit/db' {
  interface Tables {
    checkPlan: CheckPlanTable
    checkPlanFrequency: CheckPlanFrequencyTable
    checkPlanVisit: CheckPlanVisitTable
    checkPlanVersion: CheckPlanVersionTable
    checkPlanReceipt: CheckPlanReceiptTable
    projectRisk: ProjectRiskTable
  }
}
