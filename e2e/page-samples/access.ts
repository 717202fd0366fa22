import { first, type Samples } from '../first-record.ts'

export const samples: Samples = {
  '/rolePermissionEdit': first('/api/v1/oa/role/?size=1', 'id', 'roleId'),
}
