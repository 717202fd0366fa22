export const paths = { list: '/residence', form: '/residence/create', detail: '/residence/details' } as const
/** Calls about one room: its id says enough. */
export const anyProject = { projectCode: '*' }
