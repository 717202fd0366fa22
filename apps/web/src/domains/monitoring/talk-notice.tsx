import { NoticeMark, useNoticeForm, useNotices } from '#domains/alarms/public.tsx'

interface Driver {
  name: string
  projectCode: string | null
}

/** A driver's site is asked to talk to him; the subject names him, so that his row finds the notice again. */
export function useTalkNotice(projectCode: string, machine: string) {
  const notices = useNotices(projectCode)
  const notice = useNoticeForm()
  return {
    form: notice.form,
    mark: (driver: Driver) => <NoticeMark notice={notices({ projectCode: driver.projectCode ?? '', says: `司机 ${driver.name}` })} />,
    /** `did`: what he has driven and how, as the notice says it. */
    action: ({ name, projectCode: site }: Driver, did: string) =>
      notice.may &&
      site !== null && {
        label: '约谈',
        onClick: () =>
          notice.send({
            kind: 'talk',
            hours: 72,
            text: '请安排该司机到场约谈，核查操作记录与持证情况，完成教育后答复。',
            targets: [{ projectCode: site, subject: `${machine}司机 ${name} ${did}` }],
          }),
      },
  }
}
