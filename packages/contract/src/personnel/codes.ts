/** State of a stay (dictionary formalStatus). */
export const formalStates = { registered: '0', formal: '1', paused: '2' } as const

/** Review state of certificates and bad records. */
export const auditStates = { waiting: '0', passed: '1', refused: '2' } as const

/** Result of the check against the population register; texts in `realNameStates`. */
export const realNames = { unchecked: '0', matched: '1' } as const

export const genders = { male: '1', female: '2' } as const

/** The document type whose number contains birthday and gender (dictionary idCardType). */
export const residentId = '01'

/** Certificate types with fields of their own (dictionary certType). */
export const certTypes = { skill: '1', title: '4', special: '7' } as const
/** Status of a certificate according to its issuer (dictionary certStatus). */
export const certRights = { valid: '1', cancelled: '2', withheld: '3', expired: '4' } as const

/** A contract with an end date (dictionary contractType). */
export const fixedTerm = '0'
/** Payment by output: requires a unit and a unit price (dictionary paymentType). */
const byOutput: readonly string[] = ['4', '5']
export const isPaidByOutput = (payment: string | undefined): boolean => payment !== undefined && byOutput.includes(payment)

/** How a contract was signed. */
export const signModes = { paper: '1', electronic: '2' } as const

/** No relevant medical history (dictionary medicalContraindication). */
export const noContraindication = '1'
