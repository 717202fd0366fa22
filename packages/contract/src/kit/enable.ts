/** Enabled or disabled, as transmitted for master data, accounts and rules. */
export const enables = { on: '1', off: '0' } as const
export type Enable = (typeof enables)[keyof typeof enables]

export const isOn = (enable: string | null | undefined): boolean => enable === enables.on
/** The opposite state. */
export const turned = (enable: string | null | undefined): Enable => (isOn(enable) ? enables.off : enables.on)
