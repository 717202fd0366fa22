/** Decision 1: captcha after 3 failures. When an account locks and how long a session lasts is set by the operator (`safety.ts`). */
export const captchaAfter = 3
/** Failures older than this are forgotten. */
export const failureMemoryMs = 15 * 60_000
/**
 * One account tried from many addresses: all of them together are asked for a captcha after so many failures, and after more of them one
 * try is looked at in half a minute, 120 an hour. Addresses from which the account came in before wait for nobody.
 */
export const strangersCaptchaAfter = 10
export const strangersSlowAfter = 20
export const strangersWaitMs = 30_000
/** An address is known for so long after the last login from it, and so many of one account: home, office, site, some telephones. */
export const knownMs = 90 * 86_400_000
export const knownAddresses = 20
/** A shared computer's session ends after a shift, however busy. */
export const classicMaxMs = 8 * 3_600_000
export const sessionMaxMs = 7 * 86_400_000
export const captchaMs = 5 * 60_000
export const passwordsRemembered = 5
/** A code sent for a forgotten password holds so long, and so many wrong ones use it up. */
export const resetCodeMinutes = 10
export const resetCodeTries = 5
/** Messages cost, and whoever gets them did not ask: one a minute to an account. */
export const betweenCodesMs = 60_000
