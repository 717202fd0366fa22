import { NoticeMark, useNoticeForm, useNotices } from '#domains/alarms/public.tsx'

interface Driver {
  name: string
  projectCode: string | null
}

/** Asks a driver's site to talk to the driver; the subject contains the name, by which the row finds the notice. */
export function useTalkNotice(projectCode: string, machine: string) {
  const notices = useNotices(projectCode)
  const notice = useNoticeForm()
  return {
    form: notice.form,
    mark: (driver: Driver) => <NoticeMark notice={notices({ projectCode: driver.projectCode ?? '', says: `司机 ${driver.name}` })} />,
    /** `did`: trips and violations of the driver, as text for the notice. */
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
