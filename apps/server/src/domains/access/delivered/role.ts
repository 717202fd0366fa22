/** Codes by module: `alarm: 'view ack'` are alarm.view and alarm.ack; `'*'` is every code of the module that the kind of group can hold. */
export type Codes = Readonly<Record<string, string>>

/** `administrator` holds whatever its kind of group can hold. A code the product does not have yet is left out until it does. */
export interface DeliveredRole {
  name: string
  remark: string
  codes: Codes | 'administrator'
}
