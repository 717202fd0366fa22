/** In use or switched off: how masters, accounts and rules carry it on the wire. */
export const enables = { on: '1', off: '0' } as const
export type Enable = (typeof enables)[keyof typeof enables]

export const isOn = (enable: string | null | undefined): boolean => enable === enables.on
/** What a switch turns it into. */
export const turned = (enable: string | null | undefined): Enable => (isOn(enable) ? enables.off : enables.on)
