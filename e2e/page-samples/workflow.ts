import { firstIfAny, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/workbench/approvalDetail': firstIfAny('/api/v1/oa/todo/message/list?box=todo&size=1'),
}
