import { createHmac } from 'node:crypto'
import nodemailer from 'nodemailer'
import type { Config } from '#kit/config'
import { createOutgoing, type Outgoing } from '#kit/outgoing'

export interface MailFile {
  filename: string
  content: Buffer
}

/** Mail. Throws when the server does not take it. `id` makes the message recognisable when it has to be sent twice. */
export interface MailSender {
  send(to: string, title: string, text: string, id: string, files?: readonly MailFile[]): Promise<void>
  close(): void
}

/** The one way to a text message. A vendor is connected by writing one of these. */
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

export function smtpSender(url: string, from: string): MailSender {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silentMs,
  } as never)
  const domain = from.replace(/^.*@/, '').replace(/>.*$/, '') || 'localhost'
  return {
    async send(to, title, text, id, files = []) {
      await transport.sendMail({ from, to, subject: title, text, messageId: `<${id}@${domain}>`, attachments: [...files] })
    },
    close: () => transport.close(),
  }
}

/** A gateway for text messages that takes `{id, phone, text}` as JSON over HTTP, signed like a webhook. */
export function httpSms(outgoing: Outgoing, url: string, secret: string | undefined): SmsSender {
  return {
    async send(phone, text, id) {
      const body = JSON.stringify({ id, phone, text })
      await outgoing.ask({ url, method: 'POST', headers: signed(body, id, secret ?? null), body })
    },
  }
}

/** Receivers check `X-Zhugong-Signature`: HMAC-SHA256 of `timestamp.body` with their secret. The same delivery keeps its id. */
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
