import type { Log } from '#kit/log'
import type { CodeSender } from '../personnel/public.ts'

/** For demonstrations without an SMS service: the operator reads the code in the log of the process. */
export const loggedSms = (log: Log): CodeSender => ({
  send: async (_phone, text) => {
    log.info({ sms: text }, 'demonstration: a message that would be sent')
  },
})
