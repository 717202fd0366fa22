import type { Samples } from '../first-record.ts'

interface Listed {
  list: Record<string, unknown>[]
}
const path = '/api/v1/oa/process/schedule'

export const samples: Samples = {
  // A unit that is planned: the first one of the first plan.
  '/schedule/detail': async (api) => {
    const plans = await api.get<Listed>(`${path}?projectCode=*&size=1`)
    const projectCode = plans.list[0]?.projectCode
    if (typeof projectCode !== 'string') return undefined
    const tasks = await api.get<Listed>(`${path}?projectCode=${projectCode}&view=tasks&size=100`)
    const unitId = tasks.list.find((one) => typeof one.unitId === 'string')?.unitId
    return typeof unitId === 'string' ? `?id=${unitId}` : undefined
  },
}
