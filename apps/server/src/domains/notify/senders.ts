import { createHmac } from 'node:crypto'
import nodemailer from 'nodemailer'
import type { Config } from '#kit/config'
import { refuseInTransaction } from '#kit/inside-transaction'
import { createOutgoing, type Outgoing, OutgoingError } from '#kit/outgoing'

export interface MailFile {
  filename: string
  content: Buffer
}

/** Sends mail. Throws if the server does not accept it. `id` identifies the message if it is sent again. */
export interface MailSender {
  send(to: string, title: string, text: string, id: string, files?: readonly MailFile[]): Promise<void>
  close(): void
}

/** Interface for text messages. Each vendor needs one implementation. */
export interface SmsSender {
  send(phone: string, text: string, id: string): Promise<void>
}

export interface WebhookSender {
  send(url: string, secret: string | null, body: string, id: string): Promise<void>
}

export interface Senders {
  mail: MailSender | undefined
  sms: SmsSender | undefined
  webhook: WebhookSender
}

const connectMs = 8_000
const silentMs = 20_000
/** Limit from queueing a message to the server's acceptance, including messages ahead of it; reports have attachments of some megabytes. */
const mailMs = 60_000

export function smtpSender(url: string, from: string, totalMs = mailMs): MailSender {
  const open = () =>
    nodemailer.createTransport({
      url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silentMs,
    } as never)
  let transport = open()
  const domain = from.replace(/^.*@/, '').replace(/>.*$/, '') || 'localhost'
  return {
    async send(to, title, text, id, files = []) {
      refuseInTransaction('the mail server')
      const used = transport
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          // The connections are stuck, and later messages would wait for them.
          if (transport === used) transport = open()
          used.close()
          reject(new OutgoingError(`邮件服务器 ${totalMs / 1_000} 秒内没有收下邮件`))
        }, totalMs)
      })
      const sent = used.sendMail({ from, to, subject: title, text, messageId: `<${id}@${domain}>`, attachments: [...files] })
      sent.catch(() => undefined)
      await Promise.race([sent, late]).finally(() => clearTimeout(timer))
    },
    close: () => transport.close(),
  }
}

/** A text message gateway that takes `{id, phone, text}` as JSON over HTTP, signed like a webhook. */
export function httpSms(outgoing: Outgoing, url: string, secret: string | undefined): SmsSender {
  return {
    async send(phone, text, id) {
      const body = JSON.stringify({ id, phone, text })
      await outgoing.ask({ url, method: 'POST', headers: signed(body, id, secret ?? null), body })
    },
  }
}

/**
 * Headers with a signature. Receivers check `X-Zhugong-Signature`: HMAC-SHA256 of `timestamp.body` with their secret. A repeated
 * delivery keeps its id.
 */
export function signed(body: string, id: string, secret: string | null): Record<string, string> {
  const at = String(Date.now())
  return {
    'content-type': 'application/json',
    'x-zhugong-delivery': id,
    'x-zhugong-timestamp': at,
    ...(secret ? { 'x-zhugong-signature': `sha256=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}` } : {}),
  }
}

export const webhooks = (outgoing: Outgoing): WebhookSender => ({
  async send(url, secret, body, id) {
    await outgoing.ask({ url, method: 'POST', headers: signed(body, id, secret), body })
  },
})

export function sendersFor(config: Config): Senders {
  return {
    mail: config.smtpUrl ? smtpSender(config.smtpUrl, config.smtpFrom) : undefined,
    sms: config.smsUrl ? httpSms(createOutgoing(config, 'operator'), config.smsUrl, config.smsSecret) : undefined,
    webhook: webhooks(createOutgoing(config, 'webhook')),
  }
}
