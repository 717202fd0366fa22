/**
 * Why a warning cannot be sent to a machine's driver; null if it can. Only devices behind a gateway can receive commands, not those
 * connected over HTTP.
 * @param what the machine
 * @param where the driver's cabin
 */
export function warnRefused({ protocol, status }: { protocol: string; status: string }, what: string, where: string): string | null {
  if (status !== '1') return `${what}未在使用中`
  return protocol === 'mqtt' ? null : `${what}的数据由应用接口上报，没有下行通道，不能向${where}喊话`
}
