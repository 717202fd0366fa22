/**
 * Why nothing can be said to whoever drives a machine; null where it can. Only what comes by a gateway hears: HTTP applications and pushed
 * data have no way down. `what` is the machine, `where` the place its driver sits in.
 */
export function warnRefused({ protocol, status }: { protocol: string; status: string }, what: string, where: string): string | null {
  if (status !== '1') return `${what}未在使用中`
  return protocol === 'mqtt' ? null : `${what}的数据由应用接口上报，没有下行通道，不能向${where}喊话`
}
