/** Decision 1: captcha after 3 failures, 5 lock for 15 minutes; idle 30 minutes sliding; 保持登录 12 hours for companies and projects. */
export const captchaAfter = 3
export const lockAfter = 5
export const lockMs = 15 * 60_000
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
export const idleMs = 30 * 60_000
export const keepMs = 12 * 3_600_000
/** A shared computer's session ends after a shift, however busy. */
export const classicMaxMs = 8 * 3_600_000
export const sessionMaxMs = 7 * 86_400_000
export const captchaMs = 5 * 60_000
export const passwordsRemembered = 5
