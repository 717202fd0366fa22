import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/jgt/adviceReply/reply': first('/api/v1/oa/process/adviceReply?projectCode=*&size=1'),
}
