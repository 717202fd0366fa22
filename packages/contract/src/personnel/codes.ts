/** How far somebody's entry has come (dictionary formalStatus). */
export const formalStates = { registered: '0', formal: '1', paused: '2' } as const

/** Of certificates and bad records, and what an audit makes of them. */
export const auditStates = { waiting: '0', passed: '1', refused: '2' } as const

/** What the check against the register of residents gave; in words: `realNameStates`. */
export const realNames = { unchecked: '0', matched: '1' } as const

export const genders = { male: '1', female: '2' } as const

/** The kind of papers whose number tells birthday and gender (dictionary idCardType). */
export const residentId = '01'

/** Certificates with fields of their own (dictionary certType). */
export const certTypes = { skill: '1', title: '4', special: '7' } as const
/** What the issuer says of a certificate (dictionary certStatus). */
export const certStandings = { valid: '1', cancelled: '2', withheld: '3', expired: '4' } as const

/** A contract with a last day (dictionary contractType). */
export const fixedTerm = '0'
/** Pay for what was done: needs a unit and a price for it (dictionary paymentType). */
const byOutput: readonly string[] = ['4', '5']
export const isPaidByOutput = (payment: string | undefined): boolean => payment !== undefined && byOutput.includes(payment)

/** How a contract was signed. */
export const signModes = { paper: '1', electronic: '2' } as const

/** Nothing to speak of in somebody's medical history (dictionary medicalContraindication). */
export const noContraindication = '1'
