/** A few sentences on each endpoint, for people. */

const actions =
  'A repetition changes nothing and records nothing. The interface lets GET change the state, but a prefetch does not; POST does the same and is recommended.'

/** The notes by method and path, as in the table. */
export const notes: Readonly<Record<string, string>> = {
  'POST users':
    'Attaches a new user, who can log in, to an account. The answer is the user in state `passive`; the password is never returned, and `crypted_password` cannot be cracked without the server secret. Emails and logins share one namespace across the service and are not case-sensitive; a login that contains `@` must be the same user’s email. `external_id` in the query gives the user an id of your own. `name` is optional; what does not belong into one line becomes a blank.',
  'GET users':
    'All users that the key reaches, by id. With `login` or `email` the list contains the user with that name, or is empty. In CSV all of them come at once, without `crypted_password`, `salt` and what nothing uses any more.',
  'GET users/{user_id}': 'A deleted user is not found.',
  'GET users/{user_id}/abilities':
    'All abilities defined for the user, ordered by scope type and id. The permissions that an owner of an account has without abilities are not listed. The `ETag` identifies the set: send it as `If-Match` with an update that is based on it.',
  'PUT users/{user_id}/abilities':
    'Replaces the user’s abilities by the submitted list, or adds to them with `merge`, or removes them with `remove`. The answer is the complete resulting set. If one entry has a fault, nothing is changed. A request may have 1,000 entries and a user 10,000 abilities. With `dry_run` the answer has the resulting set, and what would be `added` and `removed`. With `If-Match`, the `ETag` of an earlier answer, the update is refused with 412 if the set has changed since.',
  'GET users/{user_id}/access':
    'Whether the user can open the account, business or site now, and why: as the owner of the account, by an ability on it, by an ability on its account or business, or not at all. Reasons that prevent access in spite of that are listed as well: the user is suspended, or the business is deactivated.',
  'GET users/{user_id}/effective_access':
    'What the user sees now, and why nothing, in words: state, role, the account that is theirs, the abilities, and the first 50 sites with whether each opens.',
  'POST businesses':
    'Creates an active business. Without `account_id` it belongs to the partner account that the key identifies. `POST /businesses` is the same endpoint. `external_id` in the query gives the business an id of your own.',
  'PUT businesses':
    'Creates the business with your own id `external_id` (201), or renames it if it exists (200). The account is set at creation and cannot be changed. The request may be repeated.',
  'GET businesses': 'All businesses that the key reaches, by id, including deactivated ones. In CSV all of them come at once.',
  'GET businesses/{business_id}': 'The business, active or deactivated.',
  'GET businesses/{business_id}/deactivate': actions,
  'POST businesses/{business_id}/deactivate':
    'A repetition changes nothing and records nothing. The data of the business stays in the reports.',
  'GET businesses/{business_id}/reactivate': actions,
  'POST businesses/{business_id}/reactivate': 'A repetition changes nothing and records nothing.',
  'GET accounts': 'The accounts that the partner manages, by id; the partner account is one of them. In CSV all of them come at once.',
  'GET sites': 'The sites of all managed accounts, by id. In CSV all of them come at once.',
  'GET keys':
    'This key and those that were issued with it, by id, with the time of their last use. Their secrets are shown only once, when they are created.',
  'POST keys':
    'Issues a key with some of the scopes and accounts of this one. It cannot issue keys itself, and becomes invalid with the key it was issued with. For a key that is limited to some accounts, other accounts do not exist, like those of other partners.',
  'GET keys/{key_id}': 'The key, without its secrets.',
  'POST keys/{key_id}/rotate':
    'Creates a new key with the same rights; the old one stays valid for a while, so that clients can switch. Keys issued with the old one then belong to the new one. Refused with 409 if the key is no longer valid.',
  'DELETE keys/{key_id}':
    'After the answer, the key and all keys issued with it are refused. A key may revoke itself. A repetition changes nothing.',
  'GET tokens': 'The tokens that this key has made, by id, until a day after their end.',
  'POST tokens':
    'A token reads the summaries, the rankings and the SEO report of one site or account, sent as `Authorization: Bearer TOKEN`, for minutes to a day. It is made for the pages of a portal: a page may read the answers if the partner has named its origin (`partner set --origins`, or the page Developers). Of a token 600 requests a minute are answered, apart from the partner’s rate. It ends with the key that made it.',
  'GET tokens/{token_id}': 'The token, without its secret.',
  'DELETE tokens/{token_id}': 'After the answer, the token is refused. A repetition changes nothing and records nothing.',
  'GET accounts/{account_id}/editors':
    'Who may share sites, note what happened on a day and schedule mails, by the id of the user; at most 200. The owner and staff may so without being listed.',
  'GET accounts/{account_id}/editors/{user_id}': 'An editor of the account.',
  'PUT accounts/{account_id}/editors/{user_id}':
    'Any user of the partner. It opens nothing: an editor shares and notes what their abilities show them, and schedules mails where they may see the whole account. Updates of abilities leave the list as it is. A repetition changes nothing.',
  'DELETE accounts/{account_id}/editors/{user_id}': 'The answer is the editor as it was.',
  'GET share_links':
    'The links to the sites that the key reaches, by id, with those that have expired or were revoked. Their addresses are shown only once.',
  'POST share_links':
    'Whoever has the address sees the pages of this site and nothing else. A site has 50 links that work at most. The `url` is only in this answer, at your host name if you have one.',
  'GET share_links/{share_link_id}': 'The link, without its address.',
  'DELETE share_links/{share_link_id}':
    'Whoever has the link sees nothing any more; the record of it stays. A repetition changes nothing and records nothing.',
  'GET sources':
    'The sources that the key reaches, by id: one of the whole partner only with a key that is not limited to accounts. What each fetches is on the page on sources.',
  'POST sources':
    'Of each kind there is one source of the partner and one of an account; where both find a site, the one that has it first keeps it. Its sites are fetched within a minute, and then by its rhythm. It passes to the new key when yours is rotated, and rests when yours is revoked or expires. It needs a key with the scope `provision` too.',
  'GET sources/{source_id}': 'The source, with how many sites it has and for how many the last run failed.',
  'PUT sources/{source_id}':
    'Changes the rhythm, starts it or puts it to rest. Whoever starts a source answers for it from then on. It needs a key with the scope `provision` too.',
  'DELETE sources/{source_id}':
    'What it has fetched stays. The answer is the deleted source. It needs a key with the scope `provision` too.',
  'POST sources/{source_id}/run':
    'All of its sites are due at once, and fetched within a minute, a few at a time. A source that rests is refused (409). A repetition changes nothing while they wait.',
  'GET sources/{source_id}/sites':
    'By id: when the last run of each ended, when something came last, what was not measured and why, and what was found. Each run that brought something is an intake, by whose id it can be undone.',
  'GET brand':
    'How pages and mails look to your people; without a brand, as the service itself does. Not for a key that is limited to accounts.',
  'PUT brand':
    'Changes only the given fields; a blank one is taken away. Pictures are base64 in the body and addresses in the answer; their kind is told by their content. The host name is not set here.',
  'GET accounts/{account_id}/brand': 'How pages and mails look to the people of the account: its own brand over yours.',
  'PUT accounts/{account_id}/brand':
    'Like your own brand, for this account alone: what is blank is that of your brand again. A logo brings its own dark one, or none.',
  'GET accounts/{account_id}/colleague': 'Who of the staff looks after the account, by the id of the user; null if nobody does.',
  'PUT accounts/{account_id}/colleague':
    'Assigns the account to somebody of the staff, and takes it from whom it was assigned to. Whoever has `assigned` customers reaches the account from then on. A repetition changes nothing.',
  'DELETE accounts/{account_id}/colleague': 'Nobody looks after the account any more. A repetition changes nothing.',
  'GET staff':
    'The people who work at the desk of the partner, by id. Staff are users of the partner account, and everything else about them is read under `users`.',
  'POST staff':
    'Mails an invitation, which works once, within seven days; the link is in the mail and nowhere else. Whoever accepts it chooses a new password, and every session and login link of that login ends. An address without a user gets one in the partner account. The same address again replaces the invitation. A user who is staff, or whom an invitation waits for, is changed, suspended and deleted only with the scope `staff`, and gets no login link by any key. Refused with 409 if the service sends no mail.',
  'GET staff/{staff_id}': 'Somebody of the staff, by the id of the user.',
  'PUT staff/{staff_id}':
    'Changes only the given fields. Whoever has `assigned` customers reaches those alone that they look after; without any they reach none. The last admin stays one. A repetition changes nothing.',
  'DELETE staff/{staff_id}':
    'The login stays, without the desk, and its sessions end. Refused with 409 for the last admin, and for somebody who looks after customers or has made links that still work, unless `successor_id` names the colleague who takes over.',
  'GET staff_invitations': 'Those that can still be accepted, by id.',
  'GET staff_invitations/{invitation_id}': 'An invitation that can still be accepted.',
  'DELETE staff_invitations/{invitation_id}': 'The link no longer works. The answer is the withdrawn invitation.',
  'GET events':
    'Up to 100 events after a cursor, in the order in which they were committed; no event is ever inserted before one that was read. Ask again with the `cursor` of the answer, at once where `more` is true. An event may be read again after a broken answer, and is known by its `id`. It names what changed, and no values: read the record for these. With `wait`, an answer without events comes only after that time; five requests of a partner may wait at once, the next is refused with 429. A cursor whose event is no longer kept, or which is of before a restored backup, is refused with 410; `First-Cursor` goes on with the oldest event that is kept. A key that is limited to accounts sees the events of these alone, and none of the partner itself.',
  'GET usage':
    'The last 31 days, or those from `start_date` to `end_date`, the newest first; days on which nothing happened are left out. Days are counted in UTC and kept for 400. A request counts once it is answered, and is added to the figures within some seconds; if a process of the service crashes, the counts of its last seconds are lost. Requests without a valid key and password are not counted. `records` counts the records stored by pushes, uploads and imports, including those of the operator on your behalf. A key that is limited to some accounts sees only its own use. The limits are those of the partner, over all its keys.',
  'POST bulk':
    'Up to 1,000 operations, each of which creates a record or, with `id`, changes one, by the rules of its own endpoint. Each has a result at the same index: its id, or its faults. Operations run independently and in no fixed order, so none may depend on another; with `atomic` all are done in one transaction, or none, and at most 250 may create a user or set a password. A repetition with the same Idempotency-Key does only what is left, even if the first request was interrupted. Each operation counts as a write of the rate limit: the request starts if one write is left, and what it used beyond the limit delays the next write. Users take longest, about 30 milliseconds each: what is not reached within a minute is answered with 503 and may be repeated.',
  'GET seo_report':
    'Accounts, sites and competitors by id, keywords by phrase, backlinks by the day they were found, rankings by time. Dates are inclusive days in UTC: rankings are filtered by `ranked_at`, backlinks by `found_on`; each single figure is the latest known on `end_date`, or the latest of all without one. A figure that was never measured is 0, and `domain_authority` is null. Of a keyword that is measured on several devices or from several locations, one series is printed for each engine and locale: of each day the entries without device and location, else those of desktop or of the first by name. With `series=all` each is printed as an engine of its own, such as `Google (mobile, Chicago)`, followed by `device` and `location`. `If-None-Match` with the `ETag` of an earlier answer costs almost nothing. The key alone suffices, unless the partner has switched that off.',
  'GET accounts/{account_id}/reputation_report/detail':
    'The reviews of the account’s sites, page by page. Dates filter the reviews; pages without reviews in that period are listed all the same. Sites without a location are left out. The key alone suffices, unless the partner has switched that off.',
  'GET accounts/{account_id}/reputation_report/counts':
    'The number of reviews and the sum of their ratings, day by day and page by page, of the account’s sites and of their competitors. Dates filter the counts. The key alone suffices, unless the partner has switched that off.',
  'GET summary':
    'The sites that the key reaches, by id, a line each: keywords, visibility, ratings, what changed against the compared period, and why a site may need attention, with the figures of the list of sites. Days are those of the time zone of the account.',
  'GET accounts/{account_id}/summary': 'The same of the sites of one account.',
  'GET sites/{site_id}/summary':
    'How a site is doing, with the figures of its pages: now, and against the compared period; where its keywords stand, which moved most, days without measurements, competitors, and its reviews in short. As CSV it is one row, without the lists.',
  'GET sites/{site_id}/rankings':
    'What was measured of the keywords of the site itself, a row each, ordered by keyword and time, narrowed by the parameters. Days are in UTC, as in the SEO report.',
  'GET export':
    'One JSON object a line, in the form that `POST intakes` with `all` reads: each account comes with a head, what it is made of, all that was measured of it, and a line of type `end`, from one snapshot. If the answer breaks off, append the rest with the cursor `after` of the last such line. Passwords, keys, sessions, share links, brands and host names are not part of it. It needs a key with the scope `report` too.',
  'POST observations':
    'Stores measurements, sent as a JSON array or as one JSON object per line. Each record is stored or refused by itself; with `atomic` all are stored or none. Once more than a hundred records, and more than half of those read, were refused, reading stops: nothing is stored, and the last refusal (`not_read`) says so. A body has at most 250,000 records and lines, blank ones too, and a row of CSV 1,000 cells; reading also stops, with 400, after a hundred records that are not JSON, or rows with another number of cells than the header. A record with the same natural key as a stored one replaces its figures, so a push may be repeated.',
  'POST intakes':
    'Takes a file of records, as NDJSON, a JSON array or CSV, or a saved SEO or reputation report in XML or JSON, or with `all` an export of whole accounts, compressed with gzip or not, and answers once the file is durably on disk. It is then imported in the background, the files of a partner one after the other: everything is checked first, and if one line has a fault nothing is stored. `GET` the address in `Location` for the progress. At most 10 files may wait. Send an `Idempotency-Key`, and a file that you send again because its answer was lost does not become a second intake.',
  'GET mappings':
    'What the operator saved for you: an upload takes all options of a mapping by its name (`mapping`), and those that it tells itself are over them.',
  'PUT mappings': 'Gives it a new name, by which uploads find it from now on.',
  'DELETE mappings': 'Uploads that are waiting keep its options. The answer is the deleted mapping.',
  'GET intakes': 'Every import, push and upload of the partner, by id, for as long as it can be undone.',
  'GET intakes/{intake_id}':
    'Its progress, what it did by kind of record, and the first hundred faults. `interrupted` means that the file was lost with its disk: send it again.',
  'GET intakes/{intake_id}/refused':
    'The lines that an upload with `skip_refused` left out, each with what is wrong with it, as they stood in the file. The address that ends in `.csv` streams all of them, with a column `why`, to be corrected and sent again. They are kept as long as the intake.',
  'DELETE intakes/{intake_id}':
    'Cancels an upload that has not ended: at once if it waits, or after what it stored has been undone. An intake that has ended is refused with 409; undo it instead. A repetition changes nothing.',
  'POST intakes/{intake_id}/undo':
    'Takes back in the background what the intake stored. From then on stored is what the other intakes say, in the order in which their records were stored, over what was there before: what a later one delivered too stays, even unchanged, and is listed. So is a site on which people have hung something: a note, a schedule, a link, an ability or an id of your own. Only an intake that an earlier version stored is refused with 409 while a later one of these may have delivered the same records: undo that one first, the last one first, or this one all the same with `despite_later`, which has no effect otherwise. A repetition changes nothing. With `dry_run` nothing is taken back: what would go and what would stay is worked out in the background, and stands in `preview` of the intake, with the first hundred records of each kind; until then, the answer has `Retry-After`. With `with_people` what people hung on its records goes too, except where a later intake refers to it: such a dry run must have come after the last change, and the audit log has an entry for each thing.',
  'POST intakes/{intake_id}/release':
    'A file that could not be stored for an hour is `parked`: what it had stored is taken back, later files go before it, and `reason` says why. Released, it waits for its turn again; `notices` say what was stored since, which it may overwrite. One whose key was revoked is released by the operator alone. `DELETE` cancels it instead, and after 30 days that happens by itself. A repetition changes nothing.',
  'PUT users/{user_id}':
    'Changes only the given fields. A new password ends open sessions; old names become free for others. A user who moves to another account no longer owns the old one. A repetition changes nothing.',
  'DELETE users/{user_id}':
    'The user can no longer log in, loses abilities and ownership, gets none of your reports by mail any more, and is not found any more; login and email stay reserved. The answer is the deleted user.',
  'POST users/{user_id}/suspend': 'The user cannot log in until unsuspended; open sessions end. A repetition changes nothing.',
  'POST users/{user_id}/unsuspend': 'The user becomes `active` again, or `passive` if they never logged in. A repetition changes nothing.',
  'POST users/{user_id}/login_link':
    'A link that logs the user in once, without a password. It needs a key with the scope `login_link`. A suspended user is refused with 409.',
  'PUT businesses/{business_id}': 'Gives the business another name. A repetition changes nothing.',
  'POST accounts': 'Creates an account that the partner manages.',
  'GET accounts/{account_id}': 'The account with its owner.',
  'PUT accounts/{account_id}': 'Gives the account another name. A repetition changes nothing.',
  'DELETE accounts/{account_id}':
    'Deletes the account with everything that belongs to it. `dry_run` tells what goes, and a `confirm` that has to be sent with the deletion. From then on nobody finds anything of it: its people cannot log in, links and mails rest, and names, domains and ids of your own stay taken. The operator can bring it back until `kept_until`; then everything is removed. A key that is limited to accounts deletes none, and the account of the partner itself stays.',
  'POST customers':
    'Makes a customer with everything that belongs to it, or nothing: an account with a business and its sites, the location, keywords and competitors of the first site, labels, a time zone, an id of your own, a user who may see all of it, and the schedule by which that user gets its reports. The user has no password yet and asks for a link by mail on the login page. A domain that another customer of yours has is refused as taken, also while that one is deleted. It takes at most 50 domains, 500 keywords and 50 competitors.',
  'GET customers/{account_id}':
    'The account with what concerns it as a whole: its labels, its time zone, whether it is archived, and its businesses counted by state.',
  'PUT customers/{account_id}': 'Changes the labels and the time zone of the account. What is left out stays.',
  'POST customers/{account_id}/deactivate':
    'Deactivates all businesses of the account that are active, and remembers them. A repetition changes nothing.',
  'POST customers/{account_id}/reactivate':
    'Reactivates the businesses that were deactivated together with the account, and no others. A business that was reactivated or deactivated by itself is not one of them.',
  'POST customers/{account_id}/archive':
    'Ends the mails of the account: its schedules make none, and those that wait are not sent. Nothing else changes. A repetition changes nothing.',
  'POST customers/{account_id}/unarchive': 'Its schedules make mails again, beginning with the last period that has ended.',
  'PUT accounts/{account_id}/owner': 'Makes a user of the account its owner, and replaces the previous owner.',
  'DELETE accounts/{account_id}/owner': 'Removes the owner of the account. A repetition changes nothing.',
  'POST sites': 'Attaches a domain to a business. The reports of its account then contain the site.',
  'GET sites/{site_id}': 'The site.',
  'PUT sites/{site_id}': 'Gives the site another domain, or another business of the same account. Only the given fields are changed.',
  'DELETE sites/{site_id}':
    'Deletes the site with all measurements of it and its competitors, the abilities on it and its share links. This cannot be undone. The answer is the deleted site.',
  'GET sites/{site_id}/keywords': 'The phrases whose rankings are tracked for the site itself, by id.',
  'POST sites/{site_id}/keywords':
    'Adds up to 1,000 phrases, all or none. Existing keywords stay unchanged and are in the answer too, so the request may be repeated.',
  'GET sites/{site_id}/keywords/{keyword_id}': 'The keyword.',
  'DELETE sites/{site_id}/keywords/{keyword_id}': 'Deletes the keyword with all its rankings. The answer is the deleted keyword.',
  'GET sites/{site_id}/competitors': 'The competitors of the site, by id; the reports use the same ids and domains.',
  'POST sites/{site_id}/competitors':
    'Adds up to 1,000 domains, all or none. Existing competitors stay unchanged and are in the answer too, so the request may be repeated.',
  'GET sites/{site_id}/competitors/{competitor_id}': 'The competitor.',
  'DELETE sites/{site_id}/competitors/{competitor_id}':
    'Deletes the competitor with all its measurements. The answer is the deleted competitor.',
  'GET sites/{site_id}/pages': 'The pages on which the site and its competitors are reviewed, by id.',
  'POST sites/{site_id}/pages':
    'Up to 1,000 at once, of the site itself or, with `competitor_id`, of one of its competitors. Existing pages stay unchanged. If the site has no location, its first page creates one. The answer lists all pages of the request.',
  'GET sites/{site_id}/pages/{page_id}': 'The page.',
  'DELETE sites/{site_id}/pages/{page_id}': 'Deletes the page with its reviews and counts. The answer is the deleted page.',
  'GET accounts/{account_id}/external_id': 'The id by which you know the account in your own system; null if none was set.',
  'PUT accounts/{account_id}/external_id':
    'Sets the id by which you know the account, unique among your accounts; an empty one removes it. `GET /api/accounts?external_id=` finds it by that id.',
  'GET users/{user_id}/external_id': 'The id by which you know the user in your own system; null if none was set.',
  'PUT users/{user_id}/external_id':
    'Sets the id by which you know the user, unique among your users; an empty one removes it. `GET /api/users?external_id=` finds it by that id.',
  'GET businesses/{business_id}/external_id': 'The id by which you know the business in your own system; null if none was set.',
  'PUT businesses/{business_id}/external_id':
    'Sets the id by which you know the business, unique among your businesses; an empty one removes it. `GET /api/businesses?external_id=` finds it by that id.',
  'GET sites/{site_id}/external_id': 'The id by which you know the site in your own system; null if none was set.',
  'PUT sites/{site_id}/external_id':
    'Sets the id by which you know the site, unique among your sites; an empty one removes it. `GET /api/sites?external_id=` finds it by that id.',
  'GET sites/{site_id}/pages/{page_id}/reviews':
    'The reviews of the page, by date and then by id, as the detail report lists them; `start_date` and `end_date` filter the list. A page of the list has at most 100 reviews, and fewer if their texts are long.',
  'GET sites/{site_id}/pages/{page_id}/reviews/{review_id}':
    'The review; the detail report uses the same id. If the reviewer was erased, only the figures are left.',
  'GET locations': 'The locations of all sites that the key reaches, by id; `site_id` selects the location of one site.',
  'POST locations':
    'Up to 1,000 at once. A site has at most one location: sites that have one keep it unchanged. The reputation reports then contain the sites. The answer lists the locations of all sites of the request.',
  'GET locations/{location_id}': 'The location; the reputation reports use the same id.',
  'PUT locations/{location_id}': 'Changes only the given fields; an empty text removes a page. A repetition changes nothing.',
  'DELETE locations/{location_id}':
    'Deletes a location without pages of the site or its competitors; otherwise it is refused with 409. The reputation reports then leave the site out. The answer is the deleted location.',
  'GET annotations': 'The annotations of all sites that the key reaches, by id.',
  'POST annotations': 'Adds a note to a day, which the charts of the site mark and show. A site has at most 500.',
  'GET annotations/{annotation_id}': 'The annotation.',
  'DELETE annotations/{annotation_id}': 'Deletes the annotation. The answer is the deleted annotation.',
  'GET accounts/{account_id}/schedules': 'The schedules of the account, by id; at most ten. A schedule without sites covers every site.',
  'POST accounts/{account_id}/schedules':
    'Mails a summary of the sites each week or month, with charts inside and a PDF attached. Recipients confirm once, by a mail that says who asks, or by accepting an invitation that names the reports; who gets reports of you already is not asked again, and each mail has a link to unsubscribe with one click. The first mail covers the first period that ends from now on. Unless `release` says otherwise, a report with which something is wrong waits for somebody of the staff: at the desk they read why, and send or skip it. Nothing is held where the partner has no staff, except with `by_hand`. What waits when the next period ends is not sent any more.',
  'GET accounts/{account_id}/schedules/{schedule_id}': 'The schedule, with the state of each recipient.',
  'PUT accounts/{account_id}/schedules/{schedule_id}':
    'Changes only the given fields. Existing recipients keep their state, including unsubscribed ones; new ones are treated as at creation.',
  'GET suppressions':
    'By id. Whoever has unsubscribed from a report is not asked again: on another schedule they are `unsubscribed` from the beginning. An address that the mail server has called unknown on two days gets neither reports nor questions nor invitations, which fail with that reason. Of an address you see the first letter and the domain; `email` finds a whole one. A key that is limited to accounts gets 403.',
  'GET suppressions/{suppression_id}': 'The entry of the list.',
  'DELETE suppressions/{suppression_id}':
    'The address may be asked and mailed again. Recipients of schedules stay as they are: resend the question, or put the address on the schedule anew. Whoever adds their own address or confirms a mail is taken off by that.',
  'DELETE accounts/{account_id}/schedules/{schedule_id}':
    'No more mail is sent, except for what is already queued. The answer is the deleted schedule.',
}
