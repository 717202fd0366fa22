import { PaperClipOutlined } from '@ant-design/icons'
import type { NoticeDetail } from '@zhugong/contract/announcements/calls'
import type { ReactNode } from 'react'
import { RichText } from '#kit/rich-text.tsx'
import { minute } from './words.tsx'

export type Paper = Pick<NoticeDetail, 'title' | 'typeName' | 'sender' | 'publishTime' | 'deadline' | 'content' | 'files'>

/** A notice as on paper. `instead`: shown in place of a text that was recalled. */
export function NoticePaper({ paper, instead }: { paper: Paper; instead?: ReactNode }) {
  return (
    <article className="notice-paper">
      <h2>{paper.title}</h2>
      <p className="notice-head">
        <span>{paper.sender}</span>
        <span>{paper.typeName}</span>
        <span>{paper.publishTime ? `${minute(paper.publishTime)} 发布` : '未发布'}</span>
        {paper.deadline && <span>{minute(paper.deadline)} 前签收</span>}
      </p>
      {instead ?? (paper.content ? <RichText html={paper.content} /> : <p className="zg-2">正文见附件</p>)}
      {!instead && paper.files.length > 0 && (
        <section aria-label="附件">
          <h3>附件</h3>
          <ul className="notice-files">
            {paper.files.map((one) => (
              <li key={one.url}>
                <PaperClipOutlined aria-hidden />
                <a href={one.url} target="_blank" rel="noreferrer">
                  {one.name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  )
}
