/** Decision 1: captcha after 3 failures. The operator configures when an account locks and how long a session lasts (`safety.ts`). */
export const captchaAfter = 3
/** Older failures are ignored. */
export const failureMemoryMs = 15 * 60_000
/**
 * For one account tried from many unknown addresses together: captcha after this many failures. After more, one attempt per 30 seconds
 * is processed (120 an hour). Known addresses are not delayed.
 */
export const strangersCaptchaAfter = 10
export const strangersSlowAfter = 20
export const strangersWaitMs = 30_000
/** An address counts as known this long after its last login. The number per account allows for home, office, site and some phones. */
export const knownMs = 90 * 86_400_000
export const knownAddresses = 20
/** A session on a shared computer ends after a shift, even if active. */
export const classicMaxMs = 8 * 3_600_000
export const sessionMaxMs = 7 * 86_400_000
export const captchaMs = 5 * 60_000
export const passwordsRemembered = 5
/** Lifetime and attempt limit of a password reset code. */
export const resetCodeMinutes = 10
export const resetCodeTries = 5
/** Minimum interval between codes sent to one account: messages cost money, and the receiver may not have requested them. */
export const betweenCodesMs = 60_000
