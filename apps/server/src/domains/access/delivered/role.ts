/**
 * Permissions by module: `alarm: 'view ack'` means alarm.view and alarm.ack; `'*'` means every permission of the module that the kind
 * of group can hold.
 */
export type Codes = Readonly<Record<string, string>>

/**
 * `administrator` holds every permission its kind of group can hold. Codes that the product does not have yet are left out until it
 * does.
 */
export interface DeliveredRole {
  name: string
  remark: string
  codes: Codes | 'administrator'
}
